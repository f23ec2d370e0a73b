import { connect } from '../connection/connect.ts'
import { startEmbeddedServer } from '../connection/embedded-server.ts'
import { fail, ok, type Found } from './finding.ts'

/** The shortest and smallest video of any model. */
const tinyFilm = { model: 'vidDq3-turbo', prompt: 'a paper boat on a calm lake', seconds: 1, resolution: '540p' } as const
const renderSecondsMax = 120

/** Renders a video with a separate service in a temporary folder. */
export async function checkRender(signal: AbortSignal): Promise<Found> {
  const startedAtMs = performance.now()
  try {
    await using server = await startEmbeddedServer()
    const client = connect(server)
    const task = await client.tasks.createAndWait(tinyFilm, { signal, timeoutSeconds: renderSecondsMax })
    const film = await (await client.tasks.download(task, { signal })).blob()
    const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1)
    return ok(
      `rendered a video of ${tinyFilm.seconds} s (${Math.ceil(film.size / 1024)} KiB) in ${seconds} s, including start-up`,
    )
  } catch (error) {
    if (signal.aborted) throw error
    const message = error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
    return fail(message, 'framegate serve with LOG_LEVEL=debug logs details')
  }
}
