/**
 * When you fix a bug, add a fault: a text replacement and the test that must fail.
 * tests/conventions/planted-faults.test.ts checks the list.
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
