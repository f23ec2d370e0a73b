import { isMedia, quoteForShell, type CodeSample, type SampleRequest } from './code-samples.ts'
import { textOf } from '../../parts/text-of.ts'

/**
 * Returns the samples that use Framegate's clients (SDK and CLI). White-label hosts never load this
 * module.
 */
export function productSamples(request: SampleRequest): readonly CodeSample[] {
  return [
    { name: 'TypeScript', install: 'npm install @framegate/sdk', code: typeScriptSample(request) },
    ...(isMedia(request) ? [{ name: 'CLI' as const, install: null, code: commandLineSample(request) }] : []),
  ]
}

function typeScriptSample({ baseUrl, body, keyVariable, type }: SampleRequest): string {
  return `import { Framegate } from '@framegate/sdk'

const framegate = new Framegate({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: process.env.${keyVariable},
})

const task = await framegate.tasks.createAndWait(${JSON.stringify(body, null, 2)})
console.log(${isMedia({ type }) ? 'task.result_url' : 'task.text'})
`
}

function commandLineSample({ baseUrl, body, type }: SampleRequest): string {
  const { model, prompt, ...parameters } = body
  const options = Object.entries(parameters).map(
    ([name, value]) => `  --param ${quoteForShell(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)}`,
  )
  const lines = [
    `framegate generate ${quoteForShell(textOf(prompt))}`,
    `  --model ${quoteForShell(textOf(model))}`,
    ...options,
    ...(isMedia({ type }) ? ['  --output ./'] : []),
  ]
  return `export FRAMEGATE_URL=${baseUrl}\n${lines.join(' \\\n')}\n`
}
