import { readFileSync } from 'node:fs'
import { serveParent } from '../../src/lib/limited-child/serve-parent.ts'

const media = { contentType: 'image/png', kind: 'image', width: 2, height: 1, durationSeconds: null, hasAudio: false }
let cpuSeconds = 0

/** Replaces a prober in tests. The path selects its behavior. */
await serveParent(0, async () => async (request) => {
  const { path = '', paths = [] } = request as { path?: string; paths?: string[] }
  if (paths.includes('SIGSEGV')) process.kill(process.pid, 'SIGSEGV')
  if (paths.length > 0) {
    const shared = { ...media, width: paths.length }
    return { header: { kind: 'checked', media: paths.map((path) => (path === 'how many' ? shared : media)), cpuSeconds } }
  }
  if (path.startsWith('SIG')) process.kill(process.pid, path)
  if (path === 'hang' || path.startsWith('SIG')) await new Promise(() => {})
  if (path === 'throw') throw new Error('a bug')
  if (path === 'take CPU time') cpuSeconds = 11
  const changed = path.startsWith('{') ? (JSON.parse(path) as object) : {}
  const limits = { kind: 'unreadable', message: readFileSync('/proc/self/limits', 'utf8') }
  return { header: { ...(path === 'limits' ? limits : { kind: 'media', media: { ...media, ...changed } }), cpuSeconds } }
})
