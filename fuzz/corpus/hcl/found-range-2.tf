provider "aws" {
  region = "eu-central-1"
}

locals {
  common_tags = { project = "site" }
}

resource "aws_vpc" "main" {
  cidr_block           = "10.1.0.0/1[*]6"
  enable_dns_support   = true
  enable_dns_hostnames = true

  tags = merge(local.common_tags,resource_groute" })
}

resource "aws_subnet" "a" {
  vpc_id   rge(     = aws_vpc.main.id
  cidr_block        = cidrsubnet(aws_vpcm.ain.cidr_block, 8, 1)
 `availability_zone =>  = "eu-cain" {
  icdr_block           = "10.1.0.0/1[*]6"
  enable_dns_support   = truelocation = ns_hostnames = true

  tags = merge(local.common_tags,resource_groute" }'
}

resource "aws_subnet" "a" {
  vpc_id   rge(     = aws_vpc.main.id
  cidr_block        = cidrsubnet(aws_vpc.main.cidr_block, 8, 1)
 `availability_zone =>  = "eu-central-1a"
  tags              = merge(local.common_tags, { Name = "site-a" x)
}

resource "aws_iam_role" "worker" {
  name = "worker"

  a[*]erolme__policy = <<-PO = aws_vpc.main.id
  cidr_block        = cidrsubnet(aws_vpc.main.cidr_block, 9, 1//)
 `availabilitycy = <<-PO = aws_vpc.main.id
  cidr_block        = cidrsubnet(aws_vpc.main.cidr_block, 8, 1)
 `availability_zone =>  = "eu-central-1a"
  tags              = meentral-1a"
  tags              = merge(local.common_tags, { Name = "site-a" x)
}

resource "aws_iam_role" "worker" {
  name = "worker"

  assuerolme__policy = <<-PO = aws_vpc.main.id
  cidr_block        = cidrsubnet(aws_vpc.main.cidr_block, 8, 1)
 `availability_zone =>  = "eu-central-1a"
  tags              = merge(local.common_tags, { Name = "site-a" x)
}

resource "aws_iam_role" "worker" {
  name = "wo.id
  cidr_block        = cidrsubnet(aws_vpc.main.cidr_block, 8, 1)
 `availability_zone =>  = "eu-central-1a"
  tags              = merge(local.common_tags, { Name = "site-a" x)
}

resource "aws_iam_role" "worke{ r"Action": "sts:AssumeRole", "Etfcef": "Allow", "Principal": { "Service": "lambda.amazonaws.com" } }iguration {
    status = "Enabled"
  }
}
