import type { PixelSize } from '@framegate/contract'
import { ffmpegProgram, qualityArguments, type H264Encoder } from './ffmpeg-program.ts'
import type { WatermarkDesign } from './watermark-design.ts'

const keyFrameInterval = 48
/** Assumed maximum frame rate, for an encoder that needs a bit rate. */
const assumedFramesPerSecond = 30

/**
 * ffmpeg filters that give frames square pixels and even sides. `watermarkPixels` places the
 * watermark on square pixels, and the encoder requires even sides. Other frames are not changed.
 */
const squarePixels = 'scale=trunc(iw*sar/2)*2:trunc(ih/2)*2,setsar=1'

/**
 * Messages of ffmpeg about files that it cannot read or write. Its exit code does not distinguish
 * these errors from a damaged video.
 */
export const fileErrorPattern =
  /No space left on device|Disk quota exceeded|File too large|Read-only file system|Permission denied|No such file or directory|Input\/output error|Too many open files/

/**
 * Returns the ffmpeg command that adds a watermark to a video, like `watermark-video.ts`. `input`
 * has the watermark's pixels for ffmpeg's stdin.
 */
export async function ffmpegWatermark(
  encoder: H264Encoder,
  size: PixelSize,
  { from, to, design }: { from: string; to: string; design: WatermarkDesign },
): Promise<{ command: string[]; input: Uint8Array }> {
  // The drawing library takes 20 MB of memory, so it is loaded only when a video needs a watermark.
  const { watermarkPixels } = await import('./watermark-pixels.ts')
  const { x, y, width, height, rgba } = watermarkPixels(size, design)
  // Prevents ffmpeg from opening URLs to which the video refers.
  const videoInput = ['-protocol_whitelist', 'file,pipe', '-i', from]
  const markInput = ['-f', 'rawvideo', '-pixel_format', 'rgba', '-video_size', `${width}x${height}`, '-i', 'pipe:0']
  const overlayArguments = [
    '-filter_complex',
    `[0:v:0]${squarePixels}[frames];[frames][1:v:0]overlay=${x}:${y}[marked]`,
    '-map',
    '[marked]',
    '-map',
    '0:a?',
    '-c:a',
    'copy',
  ]
  const quality = qualityArguments(encoder, size, assumedFramesPerSecond)
  const encoding = [
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
  const command = [ffmpegProgram, ...options, ...videoInput, ...markInput, ...overlayArguments, ...encoding, ...output]
  return { command, input: rgba }
}
