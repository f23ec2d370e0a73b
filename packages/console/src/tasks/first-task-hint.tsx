import { texts } from '../language/language.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { httpSamples } from '../models/code/code-samples.ts'
import { apiBase, keyVariable } from '../session/brand.ts'

/** Hint for an account without tasks, with a command to copy. */
export function FirstTaskHint() {
  const t = texts.value.tasks
  const [sample] = httpSamples({
    baseUrl: apiBase,
    body: { model: 'imgA-5.0', prompt: 'a red fox in the snow at dusk' },
    keyVariable,
    type: 'image',
  })
  return (
    <section class="empty-state">
      <h2>{t.empty}</h2>
      <p>{t.emptyHint}</p>
      {sample !== undefined && (
        <>
          <pre class="code-block">
            <code>{sample.code}</code>
          </pre>
          <CopyButton text={sample.code} />
        </>
      )}
    </section>
  )
}
