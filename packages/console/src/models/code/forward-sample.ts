import type { Model } from '../../api/types.ts'
import type { CodeSample } from './code-samples.ts'

/** Returns a sample for a token model, in the format of OpenAI's API. */
export function forwardSample(baseUrl: string, keyVariable: string, { id, type, endpoints }: Model): CodeSample {
  const body = type === 'chat' ? { model: id, messages: [{ role: 'user', content: 'Hello' }] } : { model: id, input: 'Hello' }
  const code = `curl -s ${baseUrl}${endpoints.openai ?? ''} \\
  -H "Authorization: Bearer $${keyVariable}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body)}'
`
  return { name: 'curl', install: null, code }
}
