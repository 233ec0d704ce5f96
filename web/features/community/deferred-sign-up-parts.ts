/** Conditional parts of sign-up, in one chunk. */
export { HouseRulesCheckbox } from './house-rules-checkbox.tsx'
export { RegistrationNotice } from './registration-notice.tsx'
