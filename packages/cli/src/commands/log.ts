import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Page } from '@framegate/sdk'
import { callServer } from '../connection/call-server.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import type { JsonOptions } from '../operation/call-and-show.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { addExamples } from '../terminal/examples.ts'
import { explain, plainText, writeJson, writeLine } from '../terminal/write.ts'

interface LogOptions extends JsonOptions {
  follow?: true
  task?: string
}

interface LogEntry {
  no: number
  at: number
  level: string
  message: string
  task: string | null
  fields: Record<string, unknown>
}

const pollIntervalMs = 1_000
const entriesPerRequest = 100

export function addLogCommand(program: Command, setExitCode: (code: number) => void): void {
  const log = program
    .command('log')
    .summary('show the latest log lines of the service')
    .description('For the operator: show the latest log lines of the process that serves the request, oldest first.')
    .option('-f, --follow', 'keep printing new lines until Ctrl-C')
    .option('--task <id>', 'only lines about this task')
  addConnectionOptions(log)
    .option('--json', 'print each line as one line of JSON')
    .action(async (options: LogOptions) => setExitCode(await showLog(options)))
  addExamples(log, ['framegate log', 'framegate log --follow --task task_0197c0d1...'], operatorNotes)
}

async function showLog({ follow, task, ...options }: LogOptions): Promise<number> {
  return callServer(options, 'require server', async ({ client, call }) => {
    for (let afterNo = 0; ;) {
      const query = { limit: entriesPerRequest, after: afterNo, task }
      const { items } = await client.request<Page<LogEntry>>({ method: 'GET', path: '/admin/v1/log', query }, call)
      for (const entry of items.toReversed()) {
        if (options.json) writeJson(entry)
        else writeLine(plainText(describe(entry)))
      }
      afterNo = items[0]?.no ?? afterNo
      if (follow !== true) {
        if (items.length === 0 && options.json === undefined) explain(emptyLog(task))
        return exitCodes.ok
      }
      await sleep(pollIntervalMs, undefined, { signal: call.signal })
    }
  })
}

function emptyLog(task: string | undefined): string {
  const subject = task === undefined ? 'There are no log lines yet.' : 'There are no log lines about this task.'
  return `${subject} The process that serves the request keeps only its latest lines, and none from before its start.`
}

function describe({ at, level, message, task, fields }: LogEntry): string {
  const fieldsText = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`
  return `${new Date(at * 1000).toISOString()} ${level.padEnd(5)} ${task === null ? '' : `${task} `}${message}${fieldsText}`
}
