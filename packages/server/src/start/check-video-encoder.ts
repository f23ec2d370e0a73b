import type { Config } from '../config/config.ts'
import type { Logger } from '../lib/logger.ts'
import { messageOf } from '../lib/message-of.ts'
import type { OperatorRouting } from '../routing/operator-routing.ts'
import { findVideoEncoder } from '../watermark/find-video-encoder.ts'

/**
 * Logs a warning if watermarks cannot be drawn on the videos of the upstreams. Throws a
 * `StartupError` if an encoder is set that this machine does not have.
 */
export async function checkVideoEncoder(
  { watermarkEncoder }: Config,
  { upstreams }: Pick<OperatorRouting, 'upstreams'>,
  logger: Logger,
): Promise<void> {
  if (watermarkEncoder !== 'auto') await findVideoEncoder(watermarkEncoder)
  else if (upstreams.length > 0) {
    await findVideoEncoder('auto').catch((error: unknown) =>
      logger.warn(`${messageOf(error)} Requests for such a video are not sent to an upstream that has no watermark of its own.`),
    )
  }
}

/**
 * Returns a check that rejects, and logs the reason, if watermarks cannot be drawn on videos at the
 * moment.
 */
export function requireVideoEncoder({ watermarkEncoder }: Config, logger: Logger): () => Promise<void> {
  return async () => {
    try {
      await findVideoEncoder(watermarkEncoder)
    } catch (error) {
      logger.warn({ why: messageOf(error) }, 'a video with a watermark is not submitted')
      throw error
    }
  }
}
