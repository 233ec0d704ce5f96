/** The model has three members. Commands run on the model and on the server. */
import fc from 'fast-check'
import type { MemberClient } from '#api-client/member-client.ts'
import type { Operation, OperationInput } from '#contract/operation.ts'

export type Post = {
  id: string
  creator: number
  group: Group | null
  likes: Set<number>
  saves: Set<number>
  threads: Thread[]
  named: Map<number, { id: string; name: 'waiting' | 'shown' | 'declined' }>
}
export type Comment = { id: string; author: number; content: string; likes: Set<number> }
/** A deleted comment with replies remains as a tombstone. */
export type Thread = Comment & { removed: boolean; answers: Comment[] }
export type Group = { id: string; admin: number; members: Set<number>; requests: Map<number, string> }
export type Message = { id: string; sender: number; content: string; reactions: Map<number, string> }
/** `read` counts the messages that each participant has read. */
export type Conversation = {
  id: string
  people: [number, number]
  read: Map<number, number>
  messages: Message[]
  /** Limited because the recipient neither follows the first sender nor has replied. */
  limited: boolean
}

export type FuzzModelState = {
  follows: Set<string>
  posts: Post[]
  groups: Group[]
  conversations: Conversation[]
}

export type FuzzRealSystem = { people: MemberClient[]; pictures: (who: MemberClient) => Promise<string> }

const crowd = 3
export const memberIndexArbitrary = fc.nat(crowd - 1)
export const itemNumberArbitrary = fc.nat(999)
export const pickByNumber = <T>(list: readonly T[], number: number): T | undefined =>
  list[number % Math.max(1, list.length)]

export const canSeePost = ({ group, creator }: Post, who: number) =>
  group === null || group.members.has(who) || creator === who

export type ModelCommand = fc.AsyncCommand<FuzzModelState, FuzzRealSystem>

/** Predicts the result before asking the server. */
export const defineModelCommand = (
  name: string,
  run: (model: FuzzModelState, real: FuzzRealSystem) => Promise<unknown>,
): ModelCommand => ({
  check: () => true,
  run: async (model, real) => void (await run(model, real)),
  toString: () => name,
})

/** @returns null after a refusal */
export async function callOrExpectRefusal<O extends Operation>(
  person: MemberClient | undefined,
  operation: O,
  input: OperationInput<O>,
  may: boolean,
) {
  if (may) return person?.call(operation, input)
  await person?.refusal(operation, input as Record<string, unknown>)
  return null
}
