import type { FastifyReply } from 'fastify'
import type { Logger } from '../lib/logger.ts'
import { answerSafely } from './answer-fault.ts'

/** Answers at the end of this turn of the event loop, together with all others that were given in it. */
export type AnswerTogether = (reply: FastifyReply, answer: () => void) => void

interface WaitingAnswer {
  reply: FastifyReply
  answer: () => void
}

/** So many do not wait for further ones. */
const togetherMax = 64

/**
 * Lets the answers to all requests that arrived in a turn leave one right after the other. Each write to a socket wakes who reads at
 * its other end. On the same machine, as a reverse proxy is, to wake costs this thread a fifth of a poll; a reader that is still
 * busy with the answer before is awake.
 */
export function createAnswerTogether(logger: Logger): AnswerTogether {
  let waiting: WaitingAnswer[] = []

  function leave(): void {
    const leaving = waiting
    waiting = []
    for (const { reply, answer } of leaving) answerSafely(reply, logger, answer)
  }

  return (reply, answer) => {
    if (waiting.length === 0) setImmediate(leave)
    waiting.push({ reply, answer })
    if (waiting.length === togetherMax) leave()
  }
}
