export { ApplicationFields } from './application-fields.tsx'
export { ApplicationSent } from './application-sent.tsx'
export { HouseRulesCheckbox } from './house-rules-checkbox.tsx'
export { RegistrationNotice } from './registration-notice.tsx'
