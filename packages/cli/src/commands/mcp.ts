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
    .summary('connect an agent that runs MCP servers as local programs')
    .description(
      'Serve the Model Context Protocol on stdin and stdout, so that a desktop agent can generate videos and images. The messages are ' +
        'forwarded to the MCP endpoint of a server.',
    )
  addConnectionOptions(command).action(async (options: ConnectionOptions) => setExitCode(await serveMcp(options)))
  addExamples(
    command,
    ['framegate mcp', 'FRAMEGATE_URL=https://media.example.com/api FRAMEGATE_API_KEY=fg_live_... framegate mcp'],
    `Put this command into the agent's configuration file; \`docs/mcp.md\` shows how for several agents. Only protocol messages go to
stdout. If no server is named and none responds at the default address, the command starts a temporary one, and deletes its
results when it exits.`,
  )
}

async function serveMcp(options: ConnectionOptions): Promise<number> {
  using interruption = watchForInterruption()
  const { signal } = interruption
  await using server = await findServer(options, writeToStderr, 'start server')
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
