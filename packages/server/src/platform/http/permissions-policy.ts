/** The Permissions-Policy of our pages and of all content: no page gets at these devices, or is asked for them. */
export const permissionsPolicy = 'camera=(), microphone=(), geolocation=(), payment=(), usb=()';
