import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { findFileError } from './file-error.ts'

async function errorOf(work: Promise<unknown>): Promise<Error> {
  return (await work.catch((error: unknown) => error)) as Error
}

it('a file error is found in the causes of an error', async () => {
  const fileError = await errorOf(readFile('/nowhere/at-all'))
  expect(findFileError(fileError)).toBe(fileError)
  expect(findFileError(new Error('the copy failed', { cause: new Error('no file', { cause: fileError }) }))).toBe(fileError)
})

it('a connection error is not treated as a file error', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const connectionError = await errorOf(once(connect(port, '127.0.0.1'), 'connect'))
  expect(connectionError).toMatchObject({ code: 'ECONNREFUSED' })
  expect(findFileError(new Error('the address cannot be reached', { cause: connectionError }))).toBeUndefined()
})

it('an error without an operating system code is not treated as a file error', () => {
  expect(findFileError(new Error('damaged'))).toBeUndefined()
  expect(findFileError('damaged')).toBeUndefined()
})
