import { useEffect, useState } from 'preact/hooks'
import type { Model } from '../../api/types.ts'
import { texts } from '../../language/language.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { apiBase, brand, keyVariable } from '../../session/brand.ts'
import { httpSamples, type CodeSample } from './code-samples.ts'
import { forwardSample } from './forward-sample.ts'
import type { productSamples } from './product-samples.ts'

type ProductSamples = typeof productSamples

const sampleOrder: readonly CodeSample['name'][] = ['curl', 'TypeScript', 'Python', 'CLI', 'MCP']

/** Shows code that sends the form's request. */
export function CodeView({ model, body }: { model: Model; body: Readonly<Record<string, unknown>> }) {
  const t = texts.value.playground
  const [chosen, setChosen] = useState<CodeSample['name']>('curl')
  const samplesOfProduct = useProductSamples()
  const request = { baseUrl: apiBase, body, keyVariable, type: model.type }
  const samples =
    model.endpoints.v2 === undefined
      ? [forwardSample(apiBase, keyVariable, model)]
      : [...httpSamples(request), ...(samplesOfProduct?.(request) ?? [])]
  const sortedSamples = samples.toSorted((a, b) => sampleOrder.indexOf(a.name) - sampleOrder.indexOf(b.name))
  const sample = sortedSamples.find(({ name }) => name === chosen) ?? sortedSamples[0]
  if (sample === undefined) return null
  return (
    <div class="code-view">
      <div class="code-head">
        <Segmented
          label={t.language}
          name="code-language"
          value={sample.name}
          options={sortedSamples.map(({ name }) => ({ value: name, label: name }))}
          onChange={setChosen}
        />
        <CopyButton text={sample.code} />
      </div>
      {sample.install !== null && (
        <p class="muted small">
          <code>{sample.install}</code>
        </p>
      )}
      <pre class="code-block" tabIndex={0} aria-label={sample.name}>
        <code>{sample.code}</code>
      </pre>
    </div>
  )
}

function useProductSamples(): ProductSamples | null {
  const [loaded, setLoaded] = useState<ProductSamples | null>(null)
  useEffect(() => {
    if (!brand.isWhiteLabel) void import('./product-samples.ts').then((module) => setLoaded(() => module.productSamples))
  }, [])
  return loaded
}
