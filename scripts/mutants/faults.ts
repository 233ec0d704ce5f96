/**
 * Faults that no test saw, or that a member met: each once, as the text that is replaced, with the test that must turn red. A
 * repaired bug adds its own. tests/conventions/planted-faults.test.ts keeps the places and the titles true.
 */
import { abilityFaults } from './faults/abilities-and-relationships.ts'
import { accessRuleFaults } from './faults/access-rules.ts'
import { accountFaults } from './faults/accounts.ts'
import { faultsInLists } from './faults/lists.ts'
import { platformFaults } from './faults/platform.ts'
import { postAndChatFaults } from './faults/posts-and-chat.ts'
import { webFaults } from './faults/web.ts'
import type { PlantedFault } from './planted-fault.ts'

export const plantedFaults: PlantedFault[] = [
  ...accessRuleFaults,
  ...abilityFaults,
  ...accountFaults,
  ...postAndChatFaults,
  ...faultsInLists,
  ...platformFaults,
  ...webFaults,
]
