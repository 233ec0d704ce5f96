import { en } from '#contract/language.ts'
import { getCommunityName } from '#web/navigation/community-identity.ts'

/** The server's message for names that imitate the operator is Spanish, because sign-up uses it. */
export function getReservedNameMessage(): string {
  const community = getCommunityName()
  return en(
    `This name looks like the ${community} team’s. Choose another.`,
    `Este nombre parece del equipo de ${community}. Elige otro.`,
  )
}
