import type { Readable } from 'node:stream'

const lineCharactersMax = 500
const linesMax = 50

/**
 * Logs a child's output line by line, up to a limit, so that a client's file cannot fill the log.
 */
export function logLines(stream: Readable, log: (line: string) => void): void {
  let incompleteLine = ''
  let lines = 0
  const end = (): void => {
    const line = incompleteLine.trim()
    incompleteLine = ''
    if (line !== '' && ++lines <= linesMax) log(line.slice(0, lineCharactersMax))
  }
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const [first = '', ...completeLines] = text.split('\n')
    incompleteLine += incompleteLine.length < lineCharactersMax ? first : ''
    for (const next of completeLines) {
      end()
      incompleteLine = next
    }
  })
  stream.on('end', end)
}
