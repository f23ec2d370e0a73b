import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { compileKernels } from '../../../../../../tools/build-kernels.ts'

it('has kernels that are built from the source beside them', async () => {
  const committed = await readFile(new URL('kernels/kernels.wasm', import.meta.url))
  const built = await compileKernels()
  expect(Buffer.compare(Buffer.from(built), committed)).toBe(0)
})
