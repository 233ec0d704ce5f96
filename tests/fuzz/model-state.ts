/** What the model knows of three members at work, and how what they do is told to it and to the server. */
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
  /** What was answered by who was named, or nothing yet. */
  named: Map<number, { id: string; name: 'waiting' | 'shown' | 'declined' }>
}
export type Comment = { id: string; author: number; content: string; likes: Set<number> }
/** A comment that was removed and answered stays, without its words. */
export type Thread = Comment & { removed: boolean; answers: Comment[] }
export type Group = { id: string; admin: number; members: Set<number>; requests: Map<number, string> }
export type Message = { id: string; sender: number; content: string; reactions: Map<number, string> }
/** `read` has how many of the messages each has read. */
export type Conversation = {
  id: string
  people: [number, number]
  read: Map<number, number>
  messages: Message[]
  /** The first sender is a stranger to the other and was not answered yet. */
  limited: boolean
}

export type FuzzModelState = {
  follows: Set<string>
  /** Oldest first. */
  posts: Post[]
  groups: Group[]
  talks: Conversation[]
}

export type FuzzRealSystem = { people: MemberClient[]; pictures: (who: MemberClient) => Promise<string> }

const crowd = 3
export const memberIndexArbitrary = fc.nat(crowd - 1)
/** Of what there is at that moment; out of nothing comes nothing. */
export const itemNumberArbitrary = fc.nat(999)
export const pickByNumber = <T>(list: readonly T[], number: number): T | undefined =>
  list[number % Math.max(1, list.length)]

export const canSeePost = ({ group, creator }: Post, who: number) =>
  group === null || group.members.has(who) || creator === who

export type ModelCommand = fc.AsyncCommand<FuzzModelState, FuzzRealSystem>

/** Defines a command that is tried whenever the dice say so; what it should come to is decided before it is asked. */
export const defineModelCommand = (
  name: string,
  run: (model: FuzzModelState, real: FuzzRealSystem) => Promise<unknown>,
): ModelCommand => ({
  check: () => true,
  run: async (model, real) => void (await run(model, real)),
  toString: () => name,
})

/** Asks, and expects a success or a refusal as foretold. @returns the answer, or null after a refusal */
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
