import { StartupError } from '../../lib/startup-error.ts'
import type { EncoderName } from '@framegate/renderer'
import { findH264Encoder } from '../../lib/ffmpeg-program.ts'

/**
 * Throws a `StartupError`, one sentence for the operator, if the chosen encoder cannot be used on
 * this machine.
 */
export async function requireEncoder(encoder: EncoderName): Promise<void> {
  if (encoder === 'ffmpeg') {
    await findH264Encoder()
    return
  }
  try {
    await import('@napi-rs/webcodecs')
  } catch (cause) {
    throw new StartupError('The encoder "webcodecs" cannot be loaded on this machine; choose "ffmpeg" instead.', { cause })
  }
}
