import { errorCodes } from '../errors.ts'
import type { Model } from '../model.ts'
import { errorReference } from './error-reference.ts'

interface IntroductionInput {
  models: readonly Model[]
  /** Environment variable that holds the API key in the examples. */
  keyVariable: string
}

function errorRows(): string[] {
  return Object.entries(errorReference).map(([code, { meaning }]) => {
    const { status, type } = errorCodes[code as keyof typeof errorCodes]
    return `| \`${code}\` | ${meaning} | ${status} | \`${type}\` |`
  })
}

/**
 * An example request body for an available model, preferably an image model. If no model is
 * available, the body has a placeholder as its Model ID.
 */
function exampleBody(models: readonly Model[]): string {
  const available = models.filter((model) => model.available)
  const model = available.find(({ type }) => type === 'image') ?? available[0]
  if (model === undefined) return '{"model": "MODEL_ID", "prompt": "a red fox"}'
  const needsOtherParameters = model.parameters.required.some((name) => name !== 'model' && name !== 'prompt')
  if (!needsOtherParameters) return `{"model": ${JSON.stringify(model.id)}, "prompt": "a red fox"}`
  return JSON.stringify(model.examples[0]).replaceAll("'", String.raw`\u0027`)
}

/** The description at the top of the document. */
export function introduction({ models, keyVariable }: IntroductionInput): string {
  return `Submit a task, poll it by its id, and download the result from a link that expires.

\`\`\`sh
curl {base_url}/v2/model-center/tasks \\
  -H "Authorization: Bearer $${keyVariable}" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: order-4711" \\
  -d '${exampleBody(models)}'

curl "{base_url}/v2/model-center/tasks/$ID?wait=60" \\
  -H "Authorization: Bearer $${keyVariable}"
\`\`\`

\`{base_url}\` is the origin plus a prefix, by default \`/api\`. The version is part of the path: the
model-center interface (v2) accepts every model, and the v1 interface has one collection for each video family. Both
create the same kind of task.

## Conventions

- **Bodies** are JSON objects in UTF-8; a byte order mark is ignored. The limit is 16 MiB where images may be sent
  (submits, quotes, assets and the OpenAI endpoints) and 1 MiB elsewhere. A body has at most 16 levels, 10,000 names and
  values, and 1 MiB outside of strings. Requests that are forwarded to a provider may have 64 levels, 200,000 names and
  values, and 4 MiB outside of strings. An asset is uploaded as a form, or in parts with the tus protocol.
- **Field names** are stable. Later versions may add fields to responses, so ignore fields that you do not know. Requests
  with unknown fields are rejected, unless they are forwarded to a provider.
- **Time** is Unix seconds, **amounts** are credits with up to six decimals, **durations** are seconds.
- **Lists** are \`{"object": "list", "items", "has_more", "next_cursor"}\`. To get the next page, send \`next_cursor\` as
  \`cursor\`.
- **Paths** have no trailing slash. A path with a trailing slash gets 404 \`route_not_found\`.
- **HEAD** gets the same response as GET, without the body. **OPTIONS** gets 204 and \`Allow\`.
- **Forwarded requests** are requests for chat, embedding and moderation models. The service sends them to a provider and
  returns its response. They hold credits like tasks, but they are not tasks.
- Every response has an \`X-Request-Id\`, and headers that prevent browsers from executing or framing it. Responses other than
  files and this document have \`Cache-Control: no-store\`.

## Browsers

Web pages of other origins may read results. They may call the API if the operator has allowed their origin. In this
case responses have \`Access-Control-Allow-Origin\`, \`Access-Control-Expose-Headers\` and \`Vary\`, and OPTIONS lists what
the page may send.

## Polling

A task is \`queued\`, then \`processing\`, then \`completed\` or \`failed\`. An ended task never changes. Poll every 5 to 10
seconds, or use long polling with \`?wait=60\`. Result links expire, and each query returns new ones. Download
results promptly.

## Images

\`first_frame\`, \`last_frame\` and \`reference_images\` are public http or https addresses, \`asset:ID\` of an image that was
uploaded to \`/v2/assets\` or imported by \`/v2/assets/import\`, or base64 data URIs if the model accepts them. The service
rejects a submit for every violation that it can detect immediately. If an image later turns out to be unreachable or
unreadable, the task fails with \`error_code: invalid_input\`, and nothing is charged.

## Errors

The response of every failed request has the body \`Error\`. Use \`error.code\` in programs; \`error.message\` is for people.

| Code | Meaning | Status | Type |
| --- | --- | --- | --- |
${errorRows().join('\n')}
`
}
