import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('requireEncoder says what to do when ffmpeg is missing', async () => {
  const script = `
    import { requireEncoder } from ${JSON.stringify(new URL('./require-encoder.ts', import.meta.url).href)}
    await requireEncoder('ffmpeg').catch(({ message }) => console.log(message))
  `
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env: { PATH: '/nowhere' } })
  expect(String(stdout)).toContain('there is no ffmpeg on PATH; install it or choose "webcodecs"')
})
