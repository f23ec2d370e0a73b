import { errorCodes } from '../errors.ts'
import { errorReference } from './error-reference.ts'

const errorRows = Object.entries(errorReference).map(([code, { meaning }]) => {
  const { status, type } = errorCodes[code as keyof typeof errorCodes]
  return `| ${status} | \`${code}\` | \`${type}\` | ${meaning} |`
})

/** What an integrator reads first. */
export const introduction = `Submit a task, get an id, poll it, download the result from a link that expires.

\`\`\`sh
curl {base_url}/v2/model-center/tasks \\
  -H "Authorization: Bearer $FRAMEGATE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: order-4711" \\
  -d '{"model": "imgA-5.0", "prompt": "a red fox"}'

curl "{base_url}/v2/model-center/tasks/$ID?wait=60" \\
  -H "Authorization: Bearer $FRAMEGATE_API_KEY"
\`\`\`

\`{base_url}\` is the origin plus a prefix, \`/api\` on a fresh installation. The version is part of the path: the
model-center interface (v2) takes every model, the v1 interface has one collection for each video family. Both make the
same tasks.

## Conventions

- **Bodies** are JSON objects in UTF-8: at most 16 MiB where images may be sent (submits, quotes and assets) and 1 MiB elsewhere, 16 levels deep, with at most
  10,000 names and values, and 1 MiB outside of strings; an asset may be sent as a form. Field names stay as they are here; more fields may be added to
  answers, so ignore those that you do not know. Unknown fields in requests are refused.
- **Time** is Unix seconds, **amounts** are credits with up to six decimals, **durations** are seconds.
- **Lists** answer \`{"object": "list", "items", "has_more", "next_cursor"}\`; \`next_cursor\` given as \`cursor\` is the next page.
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
uploaded to \`/v2/assets\`, or base64 data URIs where the model takes them. What can be known at once is refused at once; a picture that turns out to be unreachable or unreadable fails the task
with \`error_code: invalid_input\`, and nothing is charged.

## Errors

Every failed request, at every path, has the body \`Error\`. Decide by \`error.code\`; \`error.message\` is for people.

| Status | Code | Type | Means |
| --- | --- | --- | --- |
${errorRows.join('\n')}
`
