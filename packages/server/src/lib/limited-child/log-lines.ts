import type { Readable } from 'node:stream'

const lineCharactersMax = 500
const linesMax = 50

/**
 * Logs a child's output line by line. The number of lines is limited, so that a client's file
 * cannot fill the log.
 */
export function logLines(stream: Readable, log: (line: string) => void): void {
  let rest = ''
  let lines = 0
  const end = (): void => {
    const line = rest.trim()
    rest = ''
    if (line !== '' && ++lines <= linesMax) log(line.slice(0, lineCharactersMax))
  }
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const [first = '', ...others] = text.split('\n')
    rest += rest.length < lineCharactersMax ? first : ''
    for (const next of others) {
      end()
      rest = next
    }
  })
  stream.on('end', end)
}
