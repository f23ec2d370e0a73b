import { NotAccepted, type Job, type Operation } from '../driver.ts'
import type { UpstreamAnswer } from '../upstream/call-upstream.ts'
import type { ResultLocation } from '../upstream/fetch-result.ts'
import { AcceptanceUnknown, detailOf, judgeRefusal, refusedBy, submitCall } from '../upstream/judge-refusal.ts'
import { listIn, objectIn, textIn } from '../upstream/read-json.ts'
import { withOperatorsWords, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import { urlOrDataUri } from '../upstream/upstream-pictures.ts'
import { saidBy, usageIn, type XaiConnection } from './connection.ts'

/** A picture that is not put off is drawn before the answer comes. */
const answerMs = 5 * 60_000
const answerBytesMax = 64 * 1024 * 1024

export async function start(connection: XaiConnection, job: Job, signal: AbortSignal): Promise<Operation> {
  const { target, tools, headers } = connection
  const asked = withoutRenamed(job, target)
  const { path, body } =
    job.object === 'video' ? await videoOf(connection, asked, signal) : await imageOf(connection, asked, signal)
  const answer = await submitCall(tools.call, {
    method: 'POST',
    url: target.baseUrl + path,
    headers,
    json: await withOperatorsWords({ model: target.model, ...body }, target, job, tools.pictures, signal),
    signal,
    timeoutMs: answerMs,
    bytesMax: answerBytesMax,
  })
  if (answer.status >= 300) throw refusalOf(answer)
  const id = textIn(objectIn(answer.json)['request_id'])
  if (id !== '') return { id }
  return job.object === 'image' ? operationOfResult(connection, job, answer) : unknownBy(answer)
}

async function videoOf(
  { tools }: XaiConnection,
  { parameters }: Job,
  signal: AbortSignal,
): Promise<{ path: string; body: Body }> {
  const { prompt, aspect_ratio, resolution, seconds, first_frame, last_frame, reference_images = [] } = parameters
  const references = await picturesOf(tools, reference_images, signal)
  const sent = async (picture: string, position: string) => ({
    url: await urlOrDataUri(tools.pictures, picture, position, signal),
  })
  return {
    path: '/videos/generations',
    body: {
      ...(prompt !== undefined && { prompt }),
      ...(seconds !== undefined && { duration: seconds }),
      ...(resolution !== undefined && { resolution }),
      ...(aspect_ratio !== undefined && first_frame === undefined && { aspect_ratio }),
      ...(first_frame !== undefined && { image: await sent(first_frame, 'first_frame') }),
      ...(last_frame !== undefined && { last_frame: await sent(last_frame, 'last_frame') }),
      ...(references.length > 0 && { reference_images: references }),
    },
  }
}

/** Put off, so that it can be asked for again; a server that does not know that answers with the picture. */
async function imageOf(
  { tools }: XaiConnection,
  { parameters }: Job,
  signal: AbortSignal,
): Promise<{ path: string; body: Body }> {
  const { prompt, aspect_ratio, resolution, reference_images = [] } = parameters
  const references = await picturesOf(tools, reference_images, signal)
  const [first] = references
  const pictures = references.length > 1 ? { images: references } : first === undefined ? {} : { image: first }
  return {
    path: first === undefined ? '/images/generations' : '/images/edits',
    body: {
      ...(prompt !== undefined && { prompt }),
      ...(aspect_ratio !== undefined && { aspect_ratio }),
      ...(resolution !== undefined && { resolution: resolution.toLowerCase() }),
      ...pictures,
      n: 1,
      response_format: 'url',
      deferred: true,
    },
  }
}

function picturesOf(
  { pictures }: XaiConnection['tools'],
  sent: readonly string[],
  signal: AbortSignal,
): Promise<{ url: string }[]> {
  return Promise.all(
    sent.map(async (picture, index) => ({ url: await urlOrDataUri(pictures, picture, `reference_images/${index}`, signal) })),
  )
}

async function operationOfResult({ tools }: XaiConnection, job: Job, answer: UpstreamAnswer): Promise<Operation> {
  const image = objectIn(listIn(objectIn(answer.json)['data'])[0])
  if (image['respect_moderation'] === false) throw refusedBy('content_policy', 'the picture was moderated')
  const encoded = textIn(image['b64_json'])
  const url = textIn(image['url'])
  if (encoded === '' && url === '') return unknownBy(answer)
  const result: ResultLocation =
    encoded === '' ? { url } : { kept: await tools.results.keep(job.attemptId, 0, Buffer.from(encoded, 'base64')) }
  const { usage } = usageIn(answer.json)
  return { result, ...(usage !== undefined && { usage: { ...usage } }) }
}

/** Errors have been seen with HTTP 200. */
function unknownBy(answer: UpstreamAnswer): never {
  throw new AcceptanceUnknown(`${detailOf(answer.status, saidBy(answer))}, without a request_id`)
}

function refusalOf(answer: UpstreamAnswer): Error {
  const said = saidBy(answer)
  // A wrong key is a bad request there, and so is a team that may not be sent its results.
  const isOurs = /api key|zero data retention/i.test(said.message)
  return answer.status === 400 && isOurs ? new NotAccepted('fault', detailOf(400, said)) : judgeRefusal(answer, said)
}
