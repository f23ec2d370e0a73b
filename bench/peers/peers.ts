// Compares gateways with a fast upstream behind each of them. All are measured alternately in one
// run, each row in fresh processes.
//   npm run bench:peers -- [--peers FOLDER] [--rounds 3] [--tasks 10000] [--seconds 20] [--rows submits,kill]
//     [--sides framegate,bullmq] [--json]
// docs/performance.md explains the figures. What is not installed is not measured.
import { parseArgs } from 'node:util'
import { machineLine, thisMachine } from '../http/machine.ts'
import { findInstalledPeers } from './installed-peers.ts'
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
const { values } = parseArgs({
  options: {
    peers: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    tasks: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '20' },
    rows: { type: 'string', default: rows.map(({ name }) => name).join(',') },
    sides: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
})
const [rounds, tasks, secondsMax] = [Number(values.rounds), Number(values.tasks), Number(values.seconds)]

await using rig = new Rig()
process.once('SIGINT', () => void rig[Symbol.asyncDispose]().finally(() => process.exit(130)))
const sides = [...findOwnSides(rig), ...findInstalledPeers(values.peers)].filter(isSelected)
const figuresOf = new Map<Side, Figures[]>(sides.map((side) => [side, []]))
for (const row of rows.filter(({ name }) => values.rows.split(',').includes(name))) {
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      if (side.rows !== undefined && !side.rows.includes(row.name)) continue
      console.error(`${row.name}, round ${round + 1} of ${rounds}: ${side.name}`)
      figuresOf.get(side)?.push(await row.measure(side, { rig, tasks, secondsMax }))
    }
  }
}
const report: Report = {
  ...thisMachine('plain sockets'),
  rounds,
  sides: sides.map((side) => reportOf(side, figuresOf.get(side) ?? [])),
}
if (values.json) console.log(JSON.stringify(report, null, 2))
else {
  console.log(machineLine(report))
  for (const { side, acknowledges } of report.sides) console.log(`${side}: ${acknowledges}`)
  console.table(figureTable(report.sides))
}

function isSelected({ name }: Side): boolean {
  return values.sides.split(',').some((part) => name.toLowerCase().includes(part.toLowerCase()))
}
