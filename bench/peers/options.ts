import { parseArgs } from 'node:util'

export interface Options {
  peers: string | undefined
  rows: string[]
  /** Selects the sides whose names contain one of these texts. */
  sides: string[]
  rounds: number
  tasks: number
  secondsMax: number
  kills: number
  json: boolean
}

/** Maximum value of each number. With larger numbers, a run would take days. */
const numberMax = 100_000

/** Reads the options of the command line. An error names the option and the accepted values. */
export function readOptions(rowNames: readonly string[]): Options {
  const { values } = parseArgs({
    options: {
      peers: { type: 'string' },
      rows: { type: 'string', default: rowNames.join(',') },
      sides: { type: 'string', default: '' },
      rounds: { type: 'string', default: '3' },
      tasks: { type: 'string', default: '10000' },
      seconds: { type: 'string', default: '20' },
      kills: { type: 'string', default: '3' },
      json: { type: 'boolean', default: false },
    },
  })
  const rows = values.rows.split(',')
  const unknown = rows.find((row) => !rowNames.includes(row))
  if (unknown !== undefined) throw new Error(`--rows: there is no row "${unknown}", only ${rowNames.join(', ')}`)
  return {
    peers: values.peers,
    rows,
    sides: values.sides.toLowerCase().split(','),
    rounds: wholeNumber('--rounds', values.rounds),
    tasks: wholeNumber('--tasks', values.tasks),
    secondsMax: wholeNumber('--seconds', values.seconds),
    kills: wholeNumber('--kills', values.kills),
    json: values.json,
  }
}

/** Reads a number of the command line. An error names the option and the accepted values. */
export function wholeNumber(option: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > numberMax) {
    throw new Error(`${option} is a whole number from 1 to ${numberMax}, not "${text}"`)
  }
  return value
}
