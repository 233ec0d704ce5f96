/** What goes over the dialect's socket (platform reference §11.2–§11.4). */
import * as z from 'zod/mini'
import { closeCodes, socketChannels } from '#contract/live.ts'
import { isTooDeep } from '../json.ts'

/** The codes of error frames. 1008 alone makes old clients stay away. */
export const errorCodes = { invalid: 1003, policy: closeCodes.goAway, tooMuch: closeCodes.tryLater } as const

const subscriptionId = z.string().check(z.minLength(1), z.maxLength(64))

const messages = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('presence') }),
  z.object({
    type: z.literal('authentication'),
    data: z.object({ session: z.string().check(z.minLength(1), z.maxLength(4096)) }),
  }),
  z.object({
    type: z.literal('subscribe'),
    data: z
      .array(
        z.object({
          subscriptionId: z.optional(subscriptionId),
          channels: z.array(z.string()),
          queries: z._default(z.array(z.string()), []),
        }),
      )
      .check(z.maxLength(socketChannels)),
  }),
  z.object({
    type: z.literal('unsubscribe'),
    data: z.array(z.object({ subscriptionId })).check(z.maxLength(socketChannels)),
  }),
])

export type ClientMessage = z.output<typeof messages>

const types = new Set(['ping', 'presence', 'authentication', 'subscribe', 'unsubscribe'])

/** @returns the message, or the dialect's words for what is wrong with it */
export function readMessage(text: string): ClientMessage | string {
  const given = parseJson(text)
  if (given === null || !('type' in given)) return 'Message format is not valid.'
  if (!types.has(given.type as string)) return 'Message type is not valid.'
  const message = messages.safeParse(given)
  return message.success ? message.data : 'Payload is not valid.'
}

function parseJson(text: string): Record<string, unknown> | null {
  if (isTooDeep(text)) return null
  try {
    const given = JSON.parse(text)
    return typeof given === 'object' && !Array.isArray(given) ? given : null
  } catch {
    return null
  }
}

export const frame = (type: string, data?: unknown): string => JSON.stringify({ type, data })

export const errorFrame = (code: number, message: string): string => frame('error', { code, message })

/** What all receivers of an event share is written once; each has its own position and subscriptions. */
export function eventFrame(shared: string, own: Record<string, unknown>): string {
  return `{"type":"event","data":${JSON.stringify(own).slice(0, -1)},${shared.slice(1)}}`
}
