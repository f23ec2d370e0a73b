import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { compileKernels, pictureKernels } from '../../tools/build-kernels.ts'

it('the committed picture kernels match their source', async () => {
  const committed = await readFile(new URL('kernels/kernels.wasm', import.meta.url))
  const built = await compileKernels(pictureKernels)
  expect(Buffer.compare(Buffer.from(built), committed)).toBe(0)
})
