import { parentPort, workerData } from 'node:worker_threads'
import { openHttpThread } from '../start/open-http-thread.ts'
import { CallChannel } from './call-channel.ts'
import type { HttpThreadData, HttpThreadMethods, MainMethods } from './http-thread-methods.ts'

/** Entry of an HTTP thread. The HTTP thread and the main thread call each other's methods. */
if (parentPort === null) throw new Error('this file is the entry of a worker thread')
const methods: HttpThreadMethods = {
  listen: async () => (await thread).listen(),
  applyConfigChanges: async () => (await thread).applyConfigChanges(),
  useFile: async (file) => (await thread).useFile(file),
  metrics: async () => (await thread).metrics(),
  drain: async (connectionGraceMs) => (await thread).drain(connectionGraceMs),
  close: async () => (await thread).close(),
}
const { remote } = new CallChannel<MainMethods>(parentPort, { ...methods })
const thread = openHttpThread(workerData as HttpThreadData, remote)
// The main thread gets the error from `listen`.
thread.catch(() => undefined)
