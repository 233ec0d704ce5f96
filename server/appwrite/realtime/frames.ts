import * as z from 'zod/mini'
import { maxSocketChannels } from '#contract/realtime/realtime.ts'
import { maxTextLength, minTextLength } from '#contract/text-length.ts'
import { isJsonTooDeep } from '#server/http/json-body.ts'

const subscriptionId = z.string().check(minTextLength(1), maxTextLength(64))

const messages = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('presence') }),
  z.object({
    type: z.literal('authentication'),
    data: z.object({ session: z.string().check(minTextLength(1), maxTextLength(4096)) }),
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
      .check(z.maxLength(maxSocketChannels)),
  }),
  z.object({
    type: z.literal('unsubscribe'),
    data: z.array(z.object({ subscriptionId })).check(z.maxLength(maxSocketChannels)),
  }),
])

export type RealtimeClientMessage = z.output<typeof messages>

const types = new Set(['ping', 'presence', 'authentication', 'subscribe', 'unsubscribe'])

/** Returns Appwrite's error text for an invalid message. */
export function parseRealtimeClientMessage(text: string): RealtimeClientMessage | string {
  const given = parseJson(text)
  if (given === null || !('type' in given)) return 'Message format is not valid.'
  if (!types.has(given.type as string)) return 'Message type is not valid.'
  const message = messages.safeParse(given)
  return message.success ? message.data : 'Payload is not valid.'
}

function parseJson(text: string): Record<string, unknown> | null {
  if (isJsonTooDeep(text)) return null
  try {
    const given = JSON.parse(text)
    return typeof given === 'object' && !Array.isArray(given) ? given : null
  } catch {
    return null
  }
}

/** @param own the recipient's position and subscriptions */
export function formatRealtimeEventFrame(shared: string, own: Record<string, unknown>): string {
  const before = Object.keys(own).length === 0 ? '{' : `${JSON.stringify(own).slice(0, -1)},`
  return `{"type":"event","data":${before}${shared.slice(1)}}`
}
