import type { Command } from 'commander'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { findServer } from '../connection/find-server.ts'
import { exitCodes } from '../exit-codes.ts'
import { watchForInterruption } from '../interruption.ts'
import { runBridge } from '../mcp/bridge.ts'
import { addExamples } from '../terminal/examples.ts'
import { writeToStderr } from '../terminal/write.ts'

export function addMcpCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('mcp')
    .summary('connect an agent that starts tools as local programs (MCP)')
    .description(
      'Serve the Model Context Protocol over stdin and stdout, so that a desktop agent can generate videos and images. The messages are ' +
        'forwarded to the MCP endpoint of a server.',
    )
  addConnectionOptions(command).action(async (options: ConnectionOptions) => setExitCode(await serveMcp(options)))
  addExamples(
    command,
    ['framegate mcp', 'FRAMEGATE_URL=https://media.example.com/api FRAMEGATE_API_KEY=fg_live_... framegate mcp'],
    `Configure this command in the agent; docs/mcp.md shows how for several agents. Only messages of the protocol
go to stdout. If no server is named and none responds at the default address, the command starts a temporary one, and removes
its results at the end.`,
  )
}

async function serveMcp(options: ConnectionOptions): Promise<number> {
  using interruption = watchForInterruption()
  const { signal } = interruption
  await using server = await findServer(options, writeToStderr, 'start one')
  await runBridge({
    url: `${server.baseUrl}/mcp`,
    apiKey: server.apiKey,
    input: process.stdin,
    output: process.stdout,
    signal,
    report: writeToStderr,
  })
  return exitCodes.ok
}
