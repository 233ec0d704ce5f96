/** Who is outside of the page in the SDKs' story: the post, another device of hers, a friend. */
import { sendMessage } from '#contract/chat.ts'
import type { Asking, Person } from '#tests/person.ts'
import { noisePng, png } from '#tests/pictures.ts'
import { codeTo, proofTo } from '../letters.ts'
import type { Peer } from './script.ts'

export function peerOf(visitor: Asking, friend: Person): Peer {
  return {
    async proofTo(address) {
      const { userId, secret } = await proofTo({ visitor }, address)
      return { userId, secret }
    },
    codeTo: (address) => codeTo({ visitor }, address),
    async signInElsewhere(email, password) {
      const given = { email, password }
      return (await visitor.request<{ $id: string }>('POST', '/v1/account/sessions/email', given)).body.$id
    },
    async picture(kind) {
      return (await (kind === 'small' ? png() : noisePng(1600, 1400))).toString('base64')
    },
    friend: async () => friend.id,
    async friendSays(conversationId, content) {
      return (await friend.call(sendMessage, { conversationId, content })).$id
    },
  }
}
