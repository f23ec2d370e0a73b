import { execFileSync } from 'node:child_process'
import type { Cores } from './service-process.ts'

/**
 * Encodes a test pattern with ffmpeg. Returns the time in milliseconds that this takes.
 */
export function encodeTestPattern({ resolution, seconds }: { resolution: string; seconds: number }, cores: Cores): number {
  const size = resolution === '1080p' ? '1920x1080' : '1280x720'
  const input = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=24`, '-t', String(seconds)]
  const encoder = ['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-crf', '23', '-pix_fmt', 'yuv420p']
  const command = ['ffmpeg', '-v', 'error', ...input, ...encoder, '-f', 'mp4', '-y', '/dev/null']
  const [program = '', ...options] = cores === 'one' ? ['taskset', '--cpu-list', '0', ...command] : command
  const startedAt = performance.now()
  execFileSync(program, options, { stdio: ['ignore', 'ignore', 'inherit'] })
  return performance.now() - startedAt
}
