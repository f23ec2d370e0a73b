import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}
const opener = openers[process.platform] ?? ['xdg-open']

/**
 * Opens a file or an http URL with the default program of this machine, without waiting for that
 * program to exit.
 */
export async function openFile(path: string, report: (message: string) => void): Promise<void> {
  const [program = '', ...args] = opener
  const child = spawn(program, [...args, /^https?:/.test(path) ? path : resolve(path)], { detached: true, stdio: 'ignore' })
  try {
    await once(child, 'spawn')
    child.unref()
  } catch {
    report(`The program ${program} is missing, so ${path} cannot be opened automatically.`)
  }
}
