import type { Config } from '../config/config.ts'
import type { Logger } from '../lib/logger.ts'
import { messageOf } from '../lib/message-of.ts'
import { hasVideoDecoder } from '../media/video-frames/ffmpeg-decoder.ts'
import type { OperatorRouting } from '../routing/configuration/operator-routing.ts'
import { findVideoEncoder } from '../watermark/find-video-encoder.ts'

/**
 * Logs a warning if there are upstreams and the service cannot draw watermarks on their videos.
 * Throws a `StartupError` if an operator has chosen an encoder that this machine does not have.
 */
export async function checkVideoEncoder(
  { watermarkEncoder }: Config,
  { upstreams }: Pick<OperatorRouting, 'upstreams'>,
  logger: Logger,
): Promise<void> {
  if (watermarkEncoder !== 'auto') await findVideoEncoder(watermarkEncoder)
  else if (upstreams.length > 0) {
    await findVideoEncoder('auto').catch((error: unknown) =>
      logger.warn(
        `${messageOf(error)} Requests for a video with a watermark are sent only to upstreams that add the watermark themselves.`,
      ),
    )
  }
}

/**
 * Returns a function that checks whether the service can draw watermarks on videos. If not, the
 * function logs the reason and rejects.
 */
export function createRequireVideoEncoder({ watermarkEncoder }: Config, logger: Logger): () => Promise<void> {
  return async () => {
    try {
      await findVideoEncoder(watermarkEncoder)
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, 'a video with a watermark is not submitted')
      throw error
    }
  }
}

/** Logs what a service without ffmpeg cannot do. */
export function logMissingVideoDecoder(logger: Logger): void {
  if (hasVideoDecoder()) return
  logger.info(
    'There is no ffmpeg on PATH: the embedded driver does not accept input videos and sound, and videos of upstreams have ' +
      'no thumbnails.',
  )
}
