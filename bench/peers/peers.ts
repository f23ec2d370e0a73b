// Compares gateways, each in front of the same fast upstream. A row is one kind of load. Each row
// starts new processes of every side (a gateway with its settings), one side after the other.
//   npm run bench:peers -- [--peers FOLDER] [--rows submits,kill] [--sides sqlite,bullmq] [--rounds 3]
//     [--tasks 10000] [--seconds 20] [--kills 3] [--json]
// docs/performance.md explains the figures. Gateways that are not installed are skipped.
import { machineLine, thisMachine } from '../http/machine.ts'
import { findInstalledPeers } from './installed-peers.ts'
import { readOptions } from './options.ts'
import { findOwnSides } from './own-sides.ts'
import { figureTable, reportOf, type Report } from './report.ts'
import { Rig } from './rig.ts'
import { images } from './rows/images.ts'
import { inFlight } from './rows/in-flight.ts'
import { kill } from './rows/kill.ts'
import { polls } from './rows/polls.ts'
import type { Figures, Row } from './rows/row.ts'
import { steady } from './rows/steady.ts'
import { submits } from './rows/submits.ts'
import type { Side } from './side.ts'

const rows: readonly Row[] = [submits, polls, steady, inFlight, images, kill]
const options = readOptions(rows.map(({ name }) => name))
const { rounds } = options

await using rig = new Rig()
process.once('SIGINT', () => void rig[Symbol.asyncDispose]().finally(() => process.exit(130)))
const sides = [...findOwnSides(rig), ...findInstalledPeers(options.peers)].filter(isSelected)
if (sides.length === 0)
  throw new Error(`--sides: no side that this machine can measure has "${options.sides.join('" or "')}" in its name`)
const figuresOf = new Map<Side, Figures[]>(sides.map((side) => [side, []]))
for (const row of rows.filter(({ name }) => options.rows.includes(name))) {
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      if (side.rows !== undefined && !side.rows.includes(row.name)) continue
      console.error(`${row.name}, round ${round + 1} of ${rounds}: ${side.name}`)
      try {
        figuresOf.get(side)?.push(await row.measure(side, { ...options, rig }))
      } catch (error) {
        // The figures of the other sides are still reported.
        console.error(error)
        process.exitCode = 1
      }
    }
  }
}
const report: Report = {
  ...thisMachine('plain sockets'),
  rounds,
  sides: sides.map((side) => reportOf(side, figuresOf.get(side) ?? [])),
}
if (options.json) console.log(JSON.stringify(report, null, 2))
else {
  console.log(machineLine(report))
  for (const { side, meaningOfResponse } of report.sides) console.log(`${side}: ${meaningOfResponse}`)
  console.table(figureTable(report.sides))
}

function isSelected({ name }: Side): boolean {
  return options.sides.some((sideName) => name.toLowerCase().includes(sideName))
}
