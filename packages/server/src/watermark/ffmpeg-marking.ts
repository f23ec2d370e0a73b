import type { PixelSize } from '@framegate/contract'
import { ffmpegProgram, findH264Encoder, qualityArguments } from '../lib/ffmpeg-program.ts'
import type { WatermarkDesign } from './watermark-design.ts'
import { watermarkPixels } from './watermark-pixels.ts'

const keyFrameInterval = 48
/** Assumed maximum frame rate, for an encoder that needs a bit rate. */
const framesPerSecondAssumed = 30

/**
 * The ffmpeg command that does the same as `mark-film.ts`, with the watermark's pixels on its
 * stdin.
 */
export async function ffmpegMarking(
  size: PixelSize,
  from: string,
  to: string,
  design: WatermarkDesign,
): Promise<{ command: string[]; input: Uint8Array }> {
  const encoder = await findH264Encoder()
  const { x, y, width, height, rgba } = watermarkPixels(size, design)
  // A video can refer to other files and addresses; none is followed.
  const film = ['-protocol_whitelist', 'file,pipe', '-i', from]
  const mark = ['-f', 'rawvideo', '-pixel_format', 'rgba', '-video_size', `${width}x${height}`, '-i', 'pipe:0']
  const drawn = ['-filter_complex', `[0:v:0][1:v:0]overlay=${x}:${y}[marked]`, '-map', '[marked]', '-map', '0:a?', '-c:a', 'copy']
  const quality = qualityArguments(encoder, size, framesPerSecondAssumed)
  const pictures = [
    '-c:v',
    encoder,
    ...quality,
    '-pix_fmt',
    'yuv420p',
    '-g',
    String(keyFrameInterval),
    '-fps_mode',
    'passthrough',
  ]
  const options = ['-hide_banner', '-loglevel', 'error', '-y']
  const output = ['-movflags', '+faststart', '-f', 'mp4', to]
  return { command: [ffmpegProgram, ...options, ...film, ...mark, ...drawn, ...pictures, ...output], input: rgba }
}
