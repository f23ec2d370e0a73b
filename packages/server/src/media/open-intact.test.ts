import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { openIntact } from './open-intact.ts'

it('a stored file of another size than recorded is closed, and the error names it in its cause', async () => {
  const stream = Readable.from(['12'])
  const mediaStore = { open: async () => ({ stream, sizeBytes: 2 }) }
  await expect(openIntact(mediaStore, { objectKey: 'task_1.png', sizeBytes: 5 })).rejects.toMatchObject({
    code: 'internal_error',
    message: 'The stored file is damaged; the operator of this service can restore it.',
    cause: { message: 'the stored file task_1.png has 2 bytes instead of 5' },
  })
  expect(stream.destroyed).toBe(true)
})
