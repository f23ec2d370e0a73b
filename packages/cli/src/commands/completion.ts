import { Argument, type Command } from 'commander'
import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { listWords } from '../completion/words.ts'
import { zshCompletion } from '../completion/zsh.ts'
import { exitCodes } from '../exit-codes.ts'
import { addExamples } from '../terminal/examples.ts'

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

export function addCompletionCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('completion')
    .summary('print a completion script for the shell')
    .description('Print a shell script that completes commands, options, values and file names.')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(Object.keys(writers)))
    .action((shell: keyof typeof writers) => {
      process.stdout.write(writers[shell](listWords(program)))
      setExitCode(exitCodes.ok)
    })
  addExamples(
    command,
    [
      `echo 'eval "$(framegate completion bash)"' >> ~/.bashrc`,
      `echo 'eval "$(framegate completion zsh)"' >> ~/.zshrc   # after compinit`,
      'framegate completion fish > ~/.config/fish/completions/framegate.fish',
    ],
    "The script contains the commands of the version that printed it. To keep completion up to date, load it with `eval` in your shell's start-up file.",
  )
}
