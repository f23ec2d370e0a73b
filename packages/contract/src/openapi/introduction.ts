import { errorCodes } from '../errors.ts'
import type { Model } from '../model.ts'
import { errorReference } from './error-reference.ts'

interface Introduced {
  models: readonly Model[]
  /** Environment variable that holds the API key in the examples. */
  keyVariable: string
  /** Whether the document includes the operator's interface. */
  hasOperations: boolean
}

/** Codes that only the operator's interface returns. */
const operatorCodes: ReadonlySet<string> = new Set(['resource_not_found', 'conflict'])

function errorRows(hasOperations: boolean): string[] {
  return Object.entries(errorReference).flatMap(([code, { meaning }]) => {
    const { status, type } = errorCodes[code as keyof typeof errorCodes]
    return hasOperations || !operatorCodes.has(code) ? [`| ${status} | \`${code}\` | \`${type}\` | ${meaning} |`] : []
  })
}

/** A body that can be submitted. Prefers an available model that makes images. */
function firstBody(models: readonly Model[]): string {
  const available = models.filter((model) => model.available)
  const model = available.find(({ type }) => type === 'image') ?? available[0]
  if (model === undefined) return '{"model": "MODEL_ID", "prompt": "a red fox"}'
  const needsMore = model.parameters.required.some((name) => name !== 'model' && name !== 'prompt')
  if (!needsMore) return `{"model": ${JSON.stringify(model.id)}, "prompt": "a red fox"}`
  return JSON.stringify(model.examples[0]).replaceAll("'", String.raw`\u0027`)
}

/** The description at the top of the document. */
export function introduction({ models, keyVariable, hasOperations }: Introduced): string {
  return `Submit a task, get an id, poll it, download the result from a link that expires.

\`\`\`sh
curl {base_url}/v2/model-center/tasks \\
  -H "Authorization: Bearer $${keyVariable}" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: order-4711" \\
  -d '${firstBody(models)}'

curl "{base_url}/v2/model-center/tasks/$ID?wait=60" \\
  -H "Authorization: Bearer $${keyVariable}"
\`\`\`

\`{base_url}\` is the origin plus a prefix, \`/api\` on a fresh installation. The version is part of the path: the
model-center interface (v2) takes every model, the v1 interface has one collection for each video family. Both make the
same tasks.

## Conventions

- **Bodies** are JSON objects in UTF-8; a byte order mark is ignored. They have at most 16 MiB where images may be sent (submits, quotes and assets) and 1 MiB
  elsewhere, 16 levels, 10,000 names and values, and 1 MiB outside of strings. An asset is uploaded as a form. Field names stay as they are here; more fields may be added to
  answers, so ignore those that you do not know. Unknown fields in requests are refused.
- **Time** is Unix seconds, **amounts** are credits with up to six decimals, **durations** are seconds.
- **Lists** answer \`{"object": "list", "items", "has_more", "next_cursor"}\`; \`next_cursor\` given as \`cursor\` is the next page.
- **Paths** have no slash at their end. A path with one gets 404 \`route_not_found\`.
- **HEAD** answers as GET without the body, at every address that has GET. **OPTIONS** answers 204 with \`Allow\`.
- Every answer has an \`X-Request-Id\`, and headers that keep it out of caches and keep browsers from running or framing it.

## Browsers

Pages of other origins may read results. They may call the interface where the operator has admitted their origin: then
answers have \`Access-Control-Allow-Origin\`, \`Access-Control-Expose-Headers\` and \`Vary\`, and OPTIONS tells what is allowed.

## Polling

A task is \`queued\`, then \`processing\`, then \`completed\` or \`failed\`; an ended task never changes. Poll every 5 to 10
seconds, or hold the answer with \`?wait=60\`. Result links expire and are made anew at each query: download promptly.

## Pictures

\`first_frame\`, \`last_frame\` and \`reference_images\` are public http or https addresses, \`asset:ID\` of a picture that was
uploaded to \`/v2/assets\` or imported by \`/v2/assets/import\`, or base64 data URIs where the model takes them. What can be known at once is refused at once; a picture that turns out to be unreachable or unreadable fails the task
with \`error_code: invalid_input\`, and nothing is charged.

## Errors

Every failed request, at every path, has the body \`Error\`. Decide by \`error.code\`; \`error.message\` is for people.

| Status | Code | Type | Means |
| --- | --- | --- | --- |
${errorRows(hasOperations).join('\n')}
`
}
