terraform {
  required_version = ">= 1.6"

  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = "~> 4.0"
    }
  }

  backend "azurerm" {
    resource_group_name  = "rg-state"
    storage_account_name = "ststate01"
    container_name       = "tfstate"
    key                  = "shop.tfstate"
  }
}

provider "azurerm" {
  features {}
}
