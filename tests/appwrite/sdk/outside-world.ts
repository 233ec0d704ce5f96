import { Secret, TOTP } from 'otpauth'
import type { ApiClient, MemberClient } from '#api-client/member-client.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { createNoisePng, createPng } from '#scripts/harness/image-fixtures.ts'
import { fetchCodeSentTo, fetchSentLinkSecret } from '#tests/support/sent-messages.ts'
import type { SdkOutsideWorld } from './sdk-test-script.ts'

export function createSdkOutsideWorld(visitor: ApiClient, friend: MemberClient): SdkOutsideWorld {
  return {
    async emailLinkTo(address) {
      const { userId, secret } = await fetchSentLinkSecret({ visitor }, address)
      return { userId, secret }
    },
    codeTo: (address) => fetchCodeSentTo({ visitor }, address),
    async appCode(secret, periods) {
      const totp = new TOTP({ secret: Secret.fromBase32(secret) })
      return totp.generate({ timestamp: Date.now() + Number(periods) * 30_000 })
    },
    async signInElsewhere(email, password) {
      const given = { email, password }
      return (await visitor.request<{ $id: string }>('POST', '/v1/account/sessions/email', given)).body.$id
    },
    async picture(kind) {
      return (await (kind === 'small' ? createPng() : createNoisePng(1600, 1400))).toString('base64')
    },
    friend: async () => friend.id,
    async friendSays(conversationId, content) {
      return (await friend.call(sendMessageOperation, { conversationId, content })).$id
    },
  }
}
