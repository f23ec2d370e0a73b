import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

/** Returns the niceness of each thread of this process (proc_pid_stat(5), field 19). */
function readNicenesses(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })
}

/** Returns the niceness of this thread. */
function ownNiceness(): number {
  const stat = readFileSync(`/proc/self/task/${basename(readlinkSync('/proc/thread-self'))}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}

it.runIf(process.platform === 'linux')(
  'lowerThreadPriority lowers the priority of the calling thread and of the threads that it starts',
  async () => {
    const [nicenessesBefore, ownNicenessBefore] = [readNicenesses(), ownNiceness()]
    const module = new URL('./lower-thread-priority.ts', import.meta.url).href
    const code = `
    const { parentPort, Worker } = require('node:worker_threads')
    import(${JSON.stringify(module)}).then(({ lowerThreadPriority }) => {
      lowerThreadPriority()
      new Worker('setTimeout(() => {}, 60_000)', { eval: true }).once('online', () => parentPort.postMessage('lowered'))
    })`
    const worker = new Worker(code, { eval: true })
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
    const nicenessesAfter = readNicenesses()
    await worker.terminate()
    expect(nicenessesBefore).not.toContain(10)
    expect(nicenessesAfter.filter((niceness) => niceness === 10).length).toBeGreaterThanOrEqual(2)
    expect(ownNiceness()).toBe(ownNicenessBefore)
  },
)

it.runIf(process.platform === 'linux').each([
  [5, 15],
  [12, 19],
  [19, 19],
])('lowerThreadPriority in a process with niceness %i sets the niceness to %i', (niceness, loweredNiceness) => {
  const module = new URL('./lower-thread-priority.ts', import.meta.url).href
  const worker = `
    const { parentPort } = require('node:worker_threads')
    import(${JSON.stringify(module)}).then(({ lowerThreadPriority }) => {
      lowerThreadPriority()
      const stat = require('node:fs').readFileSync('/proc/thread-self/stat', 'utf8')
      parentPort.postMessage(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
    })`
  const code = `new (require('node:worker_threads').Worker)(${JSON.stringify(worker)}, { eval: true }).once('message', console.log)`
  const output = execFileSync('nice', ['-n', String(niceness), process.execPath, '-e', code], { encoding: 'utf8' })
  expect(Number(output)).toBe(loweredNiceness)
})
