locals {
  tags = {
    managed_by = "terraform"
    team       = "shop"
  }
}
