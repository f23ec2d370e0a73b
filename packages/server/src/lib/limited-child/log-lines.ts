import type { Readable } from 'node:stream'

const lineCharactersMax = 500
const linesMax = 50

/**
 * Logs a child's output line by line, up to a limit, so that a client's file cannot fill the log.
 */
export function logLines(stream: Readable, log: (line: string) => void): void {
  let incompleteLine = ''
  let lineCount = 0
  const endLine = (): void => {
    const line = incompleteLine.trim()
    incompleteLine = ''
    if (line !== '' && ++lineCount <= linesMax) log(line.slice(0, lineCharactersMax))
  }
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const [continuation = '', ...newLines] = text.split('\n')
    incompleteLine += incompleteLine.length < lineCharactersMax ? continuation : ''
    for (const newLine of newLines) {
      endLine()
      incompleteLine = newLine
    }
  })
  stream.on('end', endLine)
}
