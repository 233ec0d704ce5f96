/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as community from '../../community/community.ts'

export const acceptHouseRulesEndpoint: OperationEndpoint<typeof community.acceptHouseRulesOperation> = { method: 'PUT', path: '/me/house-rules' }
export const checkSetupLinkEndpoint: OperationEndpoint<typeof community.checkSetupLinkOperation> = { method: 'POST', path: '/setup/check' }
export const getCommunityEndpoint: OperationEndpoint<typeof community.getCommunityOperation> = { method: 'GET', path: '/community' }
export const getCommunitySettingsEndpoint: OperationEndpoint<typeof community.getCommunitySettingsOperation> = { method: 'GET', path: '/community/settings' }
export const setUpCommunityEndpoint: OperationEndpoint<typeof community.setUpCommunityOperation> = { method: 'POST', path: '/setup' }
export const updateCommunityEndpoint: OperationEndpoint<typeof community.updateCommunityOperation> = { method: 'PATCH', path: '/community/settings' }
