/** Exports the parts of sign-up that are not always shown, so that they load in one chunk. */
export { ApplicationFields } from './application-fields.tsx'
export { ApplicationSent } from './application-sent.tsx'
export { HouseRulesCheckbox } from './house-rules-checkbox.tsx'
export { RegistrationNotice } from './registration-notice.tsx'
