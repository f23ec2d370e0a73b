import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

/**
 * Encodes a small H.264 video with ffmpeg. `source` is an ffmpeg source with filters, such as
 * `testsrc2=size=320x180:rate=12:duration=1,fade=in:0:6`.
 */
export function encodedVideo(
  source: string,
  options: { input?: readonly string[]; output?: readonly string[]; ending?: string } = {},
): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-encoded-'))
  try {
    const targetPath = path.join(folder, `video.${options.ending ?? 'mp4'}`)
    const input = ['-v', 'error', ...(options.input ?? []), '-f', 'lavfi', '-i', source]
    const codec = options.ending === undefined ? ['-pix_fmt', 'yuv420p', '-preset', 'ultrafast'] : []
    const { status, stderr } = spawnSync('ffmpeg', [...input, ...codec, ...(options.output ?? []), targetPath])
    if (status !== 0) throw new Error(`ffmpeg cannot draw ${source}: ${stderr.toString()}`)
    return readFileSync(targetPath)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Encodes a video from an ffmpeg source, with a display matrix that rotates it by 90 degrees. */
export function rotatedVideo(source: string): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-rotated-'))
  try {
    const [sourcePath, targetPath] = [path.join(folder, 'from.mp4'), path.join(folder, 'to.mp4')]
    spawnSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', sourcePath])
    const { status } = spawnSync('ffmpeg', [
      '-v',
      'error',
      '-i',
      sourcePath,
      '-c',
      'copy',
      '-metadata:s:v',
      'rotate=90',
      targetPath,
    ])
    if (status !== 0) throw new Error('ffmpeg cannot rotate a video')
    return readFileSync(targetPath)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
