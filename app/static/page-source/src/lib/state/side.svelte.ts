/** The side bar on narrow screens, where it covers the view. */
class Side {
  open = $state(false);
  /** Whether the view has a title bar of its own, which holds the button that opens it. */
  hasTitleBar = $state(false);
}

export const side = new Side();
