// An order's number, short enough to read aloud: the end of its ID, used only for display.

/** `ord_01m8…k3qm92xt` as "K3QM-92XT". */
export const orderNumber = (id: string): string =>
  `${id.slice(-8, -4)}-${id.slice(-4)}`.toUpperCase()
