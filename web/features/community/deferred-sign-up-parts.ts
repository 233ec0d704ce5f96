/** What the sign-up form shows where the place asks more of whoever comes, in one part. */
export { HouseRulesCheckbox } from './house-rules-checkbox.tsx'
export { RegistrationNotice } from './registration-notice.tsx'
