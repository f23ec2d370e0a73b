import { isTerminal } from '@framegate/contract'
import { creditsOf } from '../credits/micro-credits.ts'
import type { StoredResult, TaskRecord } from '../db/task-queries.ts'
import type { Clock } from '../lib/clock.ts'
import { previewKey } from '../media/result-file-name.ts'
import type { UrlSigner } from '../media/sign-url.ts'
import { readPromptExcerpt, readSecondsAndSeed, readStoredSimulation } from './parameters-text.ts'
import { createdAtMsOf } from '../identity/task-id.ts'

/** A task as the API shows it: the JSON text, and an ETag that changes whenever the text changes. */
export interface TaskView {
  readonly text: string
  readonly etag: string
  readonly isEnded: boolean
}

export interface TaskViews {
  /**
   * The response to a submit. It omits `parameters`, which the client has just sent. Not cached.
   */
  submitResponse: WriteView<string>
  /** Like `submitResponse`, with `seconds`, for the v1 API. */
  submitResponseWithSeconds: WriteView<string>
  /** An item of a list, with the beginning of the prompt instead of the parameters. */
  listed: WriteView<string>
  /** The Task object of the v2 API. */
  view: WriteView<TaskView>
  /** The Task object of the v1 API, with `seconds`. */
  viewWithSeconds: WriteView<TaskView>
}

/**
 * Renders a view of a task. `origin` is the origin of the brand's result links. Null: the signer's
 * own origin.
 */
export type WriteView<View> = (task: TaskRecord, origin: string | null) => View

export interface TaskViewDependencies {
  signer: UrlSigner
  /** Default lifetime of the signer's links. */
  resultUrlTtlSeconds: number
  /**
   * Whether a result has a thumbnail, or the service can create it when a client requests the link
   * of the thumbnail.
   */
  hasThumbnail: (result: StoredResult) => boolean
  clock: Clock
}

/** Parts from which the views of a task are assembled. */
interface RenderedTask {
  /** JSON text of the common fields, without the closing brace. */
  readonly fields: string
  readonly etag: string
  readonly isEnded: boolean
  /**
   * Time at which the result expires or the signer returns a new URL, whichever is earlier.
   * Infinity if there is no link.
   */
  readonly freshUntilMs: number
  /** Origin of the result link. Null: the signer's own origin, or there is no link. */
  readonly origin: string | null
  /**
   * JSON text of the fields `text`, `engine` and `improved_prompt`, each with a leading comma. Only
   * views with parameters show them.
   */
  readonly content: string
}

interface CachedView extends TaskView, RenderedTask {
  withSeconds: TaskView | null
}

/**
 * Renders views by concatenating text. Polls are the most frequent requests, and a serializer would
 * be their largest cost. JSON.stringify escapes all text from outside. The stored parameters are
 * already JSON.
 *
 * A view is cached per record, and every change of a task creates a new record. A cached view with a
 * result URL is replaced as soon as the signer returns a new URL, at the latest when the old link
 * expires. The new view has a new ETag, so a 304 response never confirms an expired link.
 */
export function createTaskViews({ signer, resultUrlTtlSeconds, hasThumbnail, clock }: TaskViewDependencies): TaskViews {
  const cachedViews = new WeakMap<TaskRecord, CachedView>()

  function createView(task: TaskRecord, origin: string | null): CachedView {
    const cachedView = freshView(task, origin)
    if (cachedView !== undefined) return cachedView
    const renderedView = render(task, origin)
    const createdView = {
      ...renderedView,
      text: `${renderedView.fields}${renderedView.content},"parameters":${task.parameters}}`,
      withSeconds: null,
    }
    cachedViews.set(task, createdView)
    return createdView
  }

  function freshView(task: TaskRecord, origin: string | null): CachedView | undefined {
    const cachedView = cachedViews.get(task)
    if (cachedView === undefined || cachedView.freshUntilMs === Infinity) return cachedView
    return cachedView.origin === origin && clock() < cachedView.freshUntilMs ? cachedView : undefined
  }

  function render(task: TaskRecord, origin: string | null): RenderedTask {
    const { results, version } = task
    const [firstResult] = results
    if (task.status !== 'completed' || firstResult === undefined) return renderWithoutLinks(task, '', String(version))
    const nowMs = clock()
    // All results of a task expire together.
    if (nowMs >= firstResult.expiresAtMs || results.some(({ removed }) => removed)) {
      return renderWithoutLinks(task, ',"result_expired":true', `${version}-expired`)
    }
    const linkSeconds = readStoredSimulation(task.parameters)?.result_url_seconds
    const sign = (objectKey: string) => signer.sign(objectKey, Math.floor(nowMs / 1000), { origin, linkSeconds })
    const { url, expiresAt } = sign(firstResult.objectKey)
    // The file may expire before its link.
    const validUntilSeconds = Math.min(expiresAt, Math.floor(firstResult.expiresAtMs / 1000))
    const signedResults = results.map((result) => ({
      result,
      url: result === firstResult ? url : sign(result.objectKey).url,
      thumbnail: hasThumbnail(result)
        ? `,"thumbnail_url":${JSON.stringify(sign(previewKey(result.objectKey, 'thumbnail')).url)}`
        : '',
    }))
    const thumbnailCount = signedResults.filter(({ thumbnail }) => thumbnail !== '').length
    const links = linkFields(task, url, signedResults[0]?.thumbnail ?? '', validUntilSeconds)
    return {
      fields: fieldsText(task, `${links},"results":[${signedResults.map(resultText).join(',')}]`),
      etag: `W/"${version}-${expiresAt}-${thumbnailCount}"`,
      isEnded: true,
      content: contentText(task),
      freshUntilMs: Math.min((expiresAt - (linkSeconds ?? resultUrlTtlSeconds) + 1) * 1000, firstResult.expiresAtMs),
      origin,
    }
  }

  return {
    submitResponse: (task, origin) => `${render(task, origin).fields}}`,
    submitResponseWithSeconds: (task, origin) => addSeconds(task, `${render(task, origin).fields}}`),
    view: createView,
    viewWithSeconds(task, origin) {
      const cachedView = createView(task, origin)
      const { etag, isEnded } = cachedView
      cachedView.withSeconds ??= { text: addSeconds(task, cachedView.text), etag, isEnded }
      return cachedView.withSeconds
    },
    listed(task, origin) {
      const { fields } = freshView(task, origin) ?? render(task, origin)
      const excerpt = readPromptExcerpt(task.parameters)
      return excerpt === null ? `${fields}}` : `${fields},"prompt":${excerpt}}`
    },
  }
}

/** Renders a task that has no result links and therefore changes only with its record. */
function renderWithoutLinks(task: TaskRecord, resultFields: string, tag: string): RenderedTask {
  return {
    fields: fieldsText(task, resultFields),
    etag: `W/"${tag}"`,
    isEnded: isTerminal(task.status),
    freshUntilMs: Infinity,
    origin: null,
    content: improvedText(task),
  }
}

function contentText(task: TaskRecord): string {
  if (task.generatedText === undefined) return improvedText(task)
  const { text, engine } = task.generatedText
  return `,"text":${JSON.stringify(text)}${engine === undefined ? '' : `,"engine":"${engine}"`}`
}

function improvedText({ improvement, status }: TaskRecord): string {
  if (improvement === undefined || (improvement.outcome === 'begun' && !isTerminal(status))) return ''
  return `,"improved_prompt":${improvement.outcome === 'improved' ? JSON.stringify(improvement.prompt) : 'null'}`
}

/**
 * Renders the common fields. `resultFields` is the JSON text of the fields of the results, each
 * with a leading comma.
 */
function fieldsText(task: TaskRecord, resultFields: string): string {
  const { seed } = readSecondsAndSeed(task.parameters)
  const seedText = seed ?? task.results[0]?.seed ?? null
  return (
    `{"id":"${task.id}","object":"${task.object}","created":${toSeconds(createdAtMsOf(task.id))},` +
    `"model":${JSON.stringify(task.model)},"status":"${task.status}","progress":${task.progress}${resultFields},` +
    `"amount":${creditsOf(task.chargedMicroCredits ?? task.priceMicroCredits)},` +
    `"actualDuration":${actualDuration(task.results)},"error":${errorText(task)}` +
    (task.errorCode === null ? '' : `,"error_code":"${task.errorCode}"`) +
    (seedText === null ? '' : `,"seed":${seedText}`) +
    (task.startedAtMs === null ? '' : `,"started":${toSeconds(task.startedAtMs)}`) +
    (task.endedAtMs === null ? '' : `,"completed":${toSeconds(task.endedAtMs)}`)
  )
}

/**
 * Renders the fields of the first result's link, which expires at `validUntilSeconds`, in Unix
 * seconds. `thumbnail` is the JSON text of the field `thumbnail_url` with a leading comma, or
 * empty.
 */
function linkFields(task: TaskRecord, url: string, thumbnail: string, validUntilSeconds: number): string {
  const escapedUrl = JSON.stringify(url)
  return `,"result_url":${escapedUrl},"${task.object}_url":${escapedUrl}${thumbnail},"expires_at":${validUntilSeconds}`
}

function errorText(task: TaskRecord): string {
  return task.status === 'failed' ? JSON.stringify(task.errorMessage ?? 'The task failed.') : 'null'
}

/**
 * Returns the total length of the task's videos in seconds, as JSON text. It is the total because
 * every video is billed.
 */
function actualDuration(results: readonly StoredResult[]): string {
  const durations = results.flatMap(({ durationMs }) => durationMs ?? [])
  return durations.length === 0 ? 'null' : String(durations.reduce((sum, durationMs) => sum + durationMs, 0) / 1000)
}

function resultText({ result, url, thumbnail }: { result: StoredResult; url: string; thumbnail: string }): string {
  const { contentType, width, height, durationMs, sizeBytes, seed } = result
  return (
    `{"url":${JSON.stringify(url)}${thumbnail},"type":${JSON.stringify(contentType)},"width":${width},"height":${height},` +
    `"seconds":${durationMs === null ? 'null' : durationMs / 1000},"bytes":${sizeBytes}` +
    `${seed === null ? '' : `,"seed":${seed}`}}`
  )
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}

function addSeconds(task: TaskRecord, text: string): string {
  const { seconds } = readSecondsAndSeed(task.parameters)
  return seconds === null ? text : `${text.slice(0, -1)},"seconds":${seconds}}`
}
