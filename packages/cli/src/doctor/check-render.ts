import { connect } from '../connection/connect.ts'
import { startEmbeddedServer } from '../connection/embedded-server.ts'
import { fail, ok, type CheckResult } from './finding.ts'

/** Parameters of the shortest video in the catalogue, at the lowest resolution of its model. */
const tinyVideo = { model: 'vidDq3-turbo', prompt: 'a paper boat on a calm lake', seconds: 1, resolution: '540p' } as const
const renderTimeoutSeconds = 120

/** Renders a tiny video with a temporary service. */
export async function checkRender(signal: AbortSignal): Promise<CheckResult> {
  const startedAtMs = performance.now()
  try {
    await using server = await startEmbeddedServer()
    const client = connect(server)
    const task = await client.tasks.createAndWait(tinyVideo, { signal, timeoutSeconds: renderTimeoutSeconds })
    const video = await (await client.tasks.download(task, { signal })).blob()
    const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1)
    return ok(
      `rendered a video of ${tinyVideo.seconds} s (${Math.ceil(video.size / 1024)} KiB) in ${seconds} s, including start-up`,
    )
  } catch (error) {
    if (signal.aborted) throw error
    const message = error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
    return fail(message, 'framegate serve with LOG_LEVEL=debug logs details')
  }
}
