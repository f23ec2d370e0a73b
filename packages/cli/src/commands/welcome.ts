import { styleText } from 'node:util'
import type { RunningServer } from '@framegate/server'
import { defaultVideoModel } from '../generation/default-models.ts'

export interface Welcome {
  server: Pick<RunningServer, 'baseUrl' | 'dataDir' | 'newKey'>
  /** URL of the console, with or without a sign-in code. Null if the console is off. */
  consoleUrl: string | null
  /** Shell expression for the configured key. Null if no key is configured. */
  bootstrapKey: '$FRAMEGATE_BOOTSTRAP_KEY' | '$FRAMEGATE_API_KEY' | null
  isTerminal: boolean
}

/**
 * Returns the message on stdout when the service is ready. Scripts look for the line that starts
 * with `Framegate is ready at `. Both commands in the message can be pasted unchanged if the shell
 * has the variable that they name.
 */
export function welcome({ server, consoleUrl, bootstrapKey, isTerminal }: Welcome): string {
  const dimmed = (text: string) => (isTerminal ? styleText('dim', text) : text)
  const tasksUrl = `${server.baseUrl}/v2/model-center/tasks`
  const key = server.newKey ?? bootstrapKey ?? '$FRAMEGATE_API_KEY'
  const body = JSON.stringify({ model: defaultVideoModel, prompt: 'a red fox in the snow at dusk' })
  return `
Framegate is ready at ${server.baseUrl}

${consoleUrl === null ? '' : `  Console       ${consoleUrl}${consoleUrl.includes('#') ? '   (signs in once)' : ''}\n`}  Data folder   ${server.dataDir}
  API key       ${describeKey(server.newKey, bootstrapKey)}
  API reference ${server.baseUrl}/docs

${dimmed('Generate a first video:')}

  TASK=$(curl -s ${tasksUrl} -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' -d '${body}' | grep -o 'task_[0-9a-f]*' | head -n 1)

${dimmed('Poll it. The response arrives when the task has ended, or after a minute. A completed task has a result_url:')}

  curl -s "${tasksUrl}/$TASK?wait=60" -H "Authorization: Bearer ${key}"

${dimmed('Ctrl-C stops Framegate.')}
`
}

function describeKey(newKey: string | null, bootstrapKey: Welcome['bootstrapKey']): string {
  if (newKey !== null) return `${newKey}   (shown only once; store it)`
  if (bootstrapKey === '$FRAMEGATE_BOOTSTRAP_KEY') return 'the bootstrap key (FRAMEGATE_BOOTSTRAP_KEY)'
  if (bootstrapKey !== null) return 'the bootstrap key of the configuration; set FRAMEGATE_API_KEY to it for the commands below'
  return 'shown at the first start with this data folder (if it is lost, set FRAMEGATE_BOOTSTRAP_KEY to a key of your own)'
}
